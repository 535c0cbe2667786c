import { isObject } from '../../../../shared/base/json.ts';

/** A JSON object that arrived, of unknown shape. */
export type Loose = Record<string, unknown>;

/** The objects of a list; [] for anything else. */
export function objectsIn(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The content of a message or tool result as blocks; a string is one text block. */
export function blocksOf(content: unknown): Loose[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

/** The text blocks of a content, joined. */
export function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** How many blocks of this type a content has. */
export function countOf(content: unknown, wanted: string): number {
  return blocksOf(content).filter(({ type }) => type === wanted).length;
}
