import { assertNever } from '../../../../shared/base/assert-never.ts';
import { clipBlock, code, codeBlock } from './clip.ts';
import type { Command, CommandName, Language } from './commands.ts';

const forms: Record<Language, Record<CommandName, string>> = {
  en: {
    run: 'run ls -la',
    read: 'read notes.txt',
    write: 'write notes.txt: first line\\nsecond line',
    edit: 'edit notes.txt: old words => new words',
    find: 'find *.md',
    search: 'search TODO in src',
    ask: 'ask me Which one? [A | B]',
    sleep: 'sleep 10 min',
  },
  zh: {
    run: '运行 ls -la',
    read: '读取 notes.txt',
    write: '写入 notes.txt：第一行\\n第二行',
    edit: '编辑 notes.txt：旧文字 => 新文字',
    find: '查找 *.md',
    search: '搜索 待办 在 src',
    ask: '问我 选哪个？[甲 | 乙]',
    sleep: '睡 10 分钟',
  },
};

const names: readonly CommandName[] = ['run', 'read', 'write', 'edit', 'find', 'search', 'ask', 'sleep'];

function helpText(language: Language): string {
  const list = names.map((name) => `- \`${forms[language][name]}\``).join('\n');
  return language === 'zh'
    ? `我现在没有接模型，只懂简单的指令，一行一条，按顺序执行：\n${list}\n- \`帮助\``
    : `I work without a model here and understand plain commands, one per line, done in order:\n${list}\n- \`help\``;
}

function usageText(of: CommandName, language: Language): string {
  const form = code(forms[language][of]);
  return language === 'zh'
    ? `这条指令我没看懂，写法是：${form}`
    : `I could not read that; it goes like this: ${form}`;
}

function laterText(verb: string, language: Language): string {
  return language === 'zh'
    ? `${code(verb)} 在这个版本里还没有。我现在能做的，请看 \`帮助\`。`
    : `${code(verb)} is not in this version yet. Say \`help\` for what I can do now.`;
}

function otherText(language: Language): string {
  const { run, write } = forms[language];
  return language === 'zh'
    ? `你好！我现在没有接模型，不能聊天，但能执行简单的指令，例如 ${code(run)} 或 ${code(write)}。输入 \`帮助\` 看全部。`
    : `Hello! I run without a model here, so I cannot chat, but I do plain commands, for example ${code(run)} or ${code(write)}. Say \`help\` for all of them.`;
}

/** What ended, and what it printed as a block. */
function noticeText(text: string): string {
  const [first = '', second = '', ...rest] = text.split('\n');
  const block = rest.length === 0 ? '' : `\n${codeBlock(clipBlock(rest.join('\n'), 'en'))}`;
  return `${first}\n${second}${block}`;
}

/** The answer to a line that needs no call; null for commands that are carried out. */
export function answerText(command: Command, language: Language): string | null {
  switch (command.kind) {
    case 'help':
      return helpText(language);
    case 'usage':
      return usageText(command.of, language);
    case 'later':
      return laterText(command.verb, language);
    case 'notice':
      return noticeText(command.text);
    case 'other':
      return otherText(language);
    case 'run':
    case 'read':
    case 'write':
    case 'edit':
    case 'find':
    case 'search':
    case 'ask':
    case 'sleep':
      return null;
    default:
      return assertNever(command, 'command');
  }
}
