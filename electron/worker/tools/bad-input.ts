import { errorMessage } from '../../../shared/base/errors.ts';

/** Characters of a broken input that are repeated to the model. */
const longestEnd = 60;

/** One sentence for the model: its input was no JSON, and where it broke. */
export function brokenInputText(tool: string, raw: string): string {
  const why = jsonProblem(raw);
  const end = raw.slice(-longestEnd);
  return `${tool}: the input was no JSON object (${why}; its end: ${JSON.stringify(end)}). Nothing was done; call it again with the whole input as one JSON object.`;
}

function jsonProblem(raw: string): string {
  try {
    return `it was ${typeof JSON.parse(raw)}`;
  } catch (error) {
    // The engine's own sentence names the position; what follows it repeats the text.
    return errorMessage(error)
      .replace(/, ?(\.\.\.)?".*$/s, '')
      .replace(/ \(line .*$/s, '');
  }
}
