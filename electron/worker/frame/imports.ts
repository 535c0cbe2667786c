/** Fenced blocks and code spans: what stands in them is shown, not meant. Runs of marks are taken whole: tried bit by bit, long ones take minutes. */
const code =
  /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?[^`]\3(?!`)/gm;
const mention = /(?<=^|[\s(])@((?:~\/|\.{0,2}\/)?[^\s@`*?"'<>|]{1,1000})/gm;

/** Paths that a text imports with `@path`, in order, each once; trailing punctuation is not part of them. Pure. */
export function importsOf(text: string): string[] {
  const plain = text.replace(code, (block) => ' '.repeat(block.length));
  const found = [...plain.matchAll(mention)].map(([, path = '']) => path.replace(/[.,;:!)\]}]+$/u, ''));
  return [...new Set(found.filter((path) => path !== '' && path !== '~' && !/^[.~/]+$/u.test(path)))];
}
