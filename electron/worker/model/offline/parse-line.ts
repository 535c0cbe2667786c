import type { Command, CommandName, Language } from './commands.ts';
import { parseDuration } from './duration.ts';
import { readFind, readSearch } from './search-line.ts';
import { splitReplacement, splitTarget, unescape, unquote, unquoteWhole } from './pieces.ts';

interface Verb {
  readonly language: Language;
  readonly name: CommandName | 'help';
  /** Group 1: the rest of the line. */
  readonly pattern: RegExp;
}

/** A one-character Chinese verb counts only before something that is no Chinese word: 读 a.txt, not 读书. */
const verbs: readonly Verb[] = [
  { language: 'en', name: 'run', pattern: /^(?:run|execute)(?:\s*[:：]\s*|\s+|$)(.*)$/is },
  { language: 'en', name: 'read', pattern: /^read(?:\s*[:：]\s*|\s+|$)(.*)$/is },
  { language: 'en', name: 'write', pattern: /^write(?:\s*[:：]\s+|\s+|$)(.*)$/is },
  { language: 'en', name: 'edit', pattern: /^edit(?:\s*[:：]\s+|\s+|$)(.*)$/is },
  { language: 'en', name: 'find', pattern: /^find(?:\s*[:：]\s*|\s+|$)(.*)$/is },
  { language: 'en', name: 'search', pattern: /^(?:search|grep)(?:\s*[:：]\s*|\s+|$)(.*)$/is },
  { language: 'en', name: 'ask', pattern: /^ask\s+me(?:\s*[:：,]\s*|\s+|$)(.*)$/is },
  { language: 'en', name: 'sleep', pattern: /^sleep(?:\s*[:：]\s*|\s+|$)(?:for\s+)?(.*)$/is },
  { language: 'en', name: 'help', pattern: /^(?:help|\?|what can you do)\s*[?.!]*$/i },
  { language: 'zh', name: 'run', pattern: /^(?:运行|執行|执行|運行)\s*[:：]?\s*(.*)$/s },
  { language: 'zh', name: 'read', pattern: /^(?:读取|讀取|(?:读|讀)(?!\p{Script=Han}))\s*[:：]?\s*(.*)$/su },
  { language: 'zh', name: 'write', pattern: /^(?:写入|寫入|(?:写|寫)(?!\p{Script=Han}))\s*[:：]?\s*(.*)$/su },
  { language: 'zh', name: 'edit', pattern: /^(?:编辑|編輯|修改)\s*[:：]?\s*(.*)$/s },
  { language: 'zh', name: 'find', pattern: /^(?:查找|寻找|尋找)(?:文件|檔案)?\s*[:：]?\s*(.*)$/s },
  { language: 'zh', name: 'search', pattern: /^(?:搜索|搜寻|搜尋)\s*[:：]?\s*(.*)$/s },
  { language: 'zh', name: 'ask', pattern: /^(?:问我|問我)\s*[:：，,]?\s*(.*)$/s },
  { language: 'zh', name: 'sleep', pattern: /^(?:睡眠|睡(?!\p{Script=Han}))\s*[:：]?\s*(.*)$/su },
  { language: 'zh', name: 'help', pattern: /^(?:帮助|幫助|你能做什么|你会什么)\s*[？?。！!]*$/ },
];

const laterEnglish =
  /^(remember|recall|forget|remind|every|notify|send\s+file|ask\s+teammate|watch|schedule|subscribe)\b/i;
const laterChinese =
  /^(记住|回忆|忘记|提醒|每天|每周|每月|每小时|每隔|每|通知|发送文件|发文件|问队友|关注|定时)/;

const listMarker = /^(?:[-*•]\s+|\d{1,4}[.)]\s+|\d{1,4}[、．）]\s*)/;
const courtesy = /^(?:please\s+|请\s*|請\s*)/i;
const han = /\p{Script=Han}/u;

/** Understands one line; null for lines that say nothing (empty, a list marker or a code fence alone). */
export function parseLine(line: string): Command | null {
  const bare = line.trim().replace(listMarker, '').trim();
  if (bare === '' || /^(?:[-*•]|\d{1,4}[.)、]|`{3,}\w*)$/.test(bare)) return null;
  const text = bare.replace(courtesy, '').trim();
  for (const { language, name, pattern } of verbs) {
    const match = pattern.exec(text);
    if (match)
      return name === 'help' ? { language, kind: 'help' } : parseCommand(language, name, match[1] ?? '');
  }
  const later = laterEnglish.exec(text) ?? laterChinese.exec(text);
  const language: Language = han.test(bare) ? 'zh' : 'en';
  if (later?.[1]) return { language, kind: 'later', verb: later[1].toLowerCase() };
  return { language, kind: 'other', text: bare };
}

function parseCommand(language: Language, name: CommandName, rest: string): Command {
  const read = readers[name](rest.trim());
  return read === null ? { language, kind: 'usage', of: name } : { language, ...read };
}

type Bare<Whole> = Whole extends unknown ? Omit<Whole, 'language'> : never;
type Reader = (rest: string) => Bare<Command> | null;

const readers: Record<CommandName, Reader> = {
  run: (rest) => {
    const command = unquoteWhole(rest, ['`']);
    return command === '' ? null : { kind: 'run', command };
  },
  read: (rest) => {
    const path = unquote(rest);
    return path === '' ? null : { kind: 'read', path };
  },
  write: (rest) => {
    const target = splitTarget(rest);
    return target === null ? null : { kind: 'write', path: target.path, text: unescape(target.rest) };
  },
  edit: (rest) => {
    const target = splitTarget(rest);
    const replacement = target === null ? null : splitReplacement(target.rest);
    return target === null || replacement === null
      ? null
      : { kind: 'edit', path: target.path, ...replacement };
  },
  find: (rest) => {
    const found = readFind(rest);
    return found === null ? null : { kind: 'find', ...found };
  },
  search: (rest) => {
    const found = readSearch(rest);
    return found === null ? null : { kind: 'search', ...found };
  },
  ask: parseQuestion,
  sleep: (rest) => {
    const said = unquote(rest);
    const seconds = parseDuration(said);
    return seconds === null ? null : { kind: 'sleep', seconds, said };
  },
};

const optionList = /^(.*?)\s*[[【]([^\]】]*[|｜][^\]】]*)[\]】]\s*$/s;

function parseQuestion(rest: string): Bare<Command> | null {
  const match = optionList.exec(rest);
  const labels = (match?.[2] ?? '').split(/[|｜]/).map((label) => label.trim());
  const options = [...new Set(labels.filter((label) => label !== ''))];
  const question = unquote((match?.[1] ?? rest).trim());
  return question === '' ? null : { kind: 'ask', question, options };
}
