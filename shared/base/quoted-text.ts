/** Text with a mark before every line, so that nothing in it can pass for a heading or a notice of ours. */
export function quotedText(text: string): string {
  return text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');
}
