import type { Key } from '../terminal/key.ts';
import { type Draft, draftOf, type Edit, edit, emptyDraft, insert, moveLine } from './composer.ts';

/** A text field with what was sent before. */
export interface Field {
  readonly draft: Draft;
  /** How far back in what was sent before; null: not recalling. */
  readonly recalled: number | null;
  /** What was being typed when recalling began. */
  readonly kept: Draft;
  /** What is searched for in what was sent before; null: not searching. */
  readonly search: string | null;
}

/** An empty field. */
export const emptyField: Field = { draft: emptyDraft, recalled: null, kept: emptyDraft, search: null };

const edits: Readonly<Record<string, Edit>> = {
  a: 'home',
  e: 'end',
  b: 'left',
  f: 'right',
  w: 'delete_word',
  u: 'delete_to_start',
  k: 'delete_to_end',
  d: 'delete',
  h: 'backspace',
};

function editOf(key: Key): Edit | null {
  if (key.kind === 'ctrl') return edits[key.letter] ?? null;
  if (key.kind !== 'named') return null;
  switch (key.name) {
    case 'left':
      return key.word ? 'word_left' : 'left';
    case 'right':
      return key.word ? 'word_right' : 'right';
    case 'backspace':
      return key.word ? 'delete_word' : 'backspace';
    case 'home':
    case 'end':
    case 'delete':
      return key.name;
    default:
      return null;
  }
}

const typed = (field: Field, draft: Draft): Field => ({ ...field, draft, recalled: null });

/** The field after a key that types or moves; null when the key means nothing here. `sent`: earlier prompts, oldest first. */
export function fieldKey(field: Field, key: Key, sent: readonly string[]): Field | null {
  if (field.search !== null) return searchKey(field, field.search, key, sent);
  if (key.kind === 'text' || key.kind === 'paste') return typed(field, insert(field.draft, key.text));
  if (key.kind === 'ctrl' && key.letter === 'r') return { ...field, search: '', kept: field.draft };
  if (key.kind === 'named' && key.name === 'newline') return typed(field, insert(field.draft, '\n'));
  if (key.kind === 'named' && (key.name === 'up' || key.name === 'down')) {
    const direction = key.name === 'up' ? -1 : 1;
    const moved = moveLine(field.draft, direction);
    return moved === null ? recall(field, direction, sent) : { ...field, draft: moved };
  }
  const how = editOf(key);
  if (how === null) return null;
  const draft = edit(field.draft, how);
  return draft.text === field.draft.text ? { ...field, draft } : typed(field, draft);
}

function recall(field: Field, direction: -1 | 1, sent: readonly string[]): Field {
  const from = field.recalled ?? sent.length;
  const to = from + direction;
  if (to < 0 || to > sent.length || from === to) return field;
  const kept = field.recalled === null ? field.draft : field.kept;
  if (to === sent.length) return { ...field, draft: kept, recalled: null };
  return { ...field, draft: draftOf(sent[to] ?? ''), recalled: to, kept };
}

/** The newest earlier prompt that holds the words; null for none. */
export function found(words: string, sent: readonly string[]): string | null {
  if (words === '') return null;
  return sent.findLast((text) => text.toLowerCase().includes(words.toLowerCase())) ?? null;
}

function searchKey(field: Field, search: string, key: Key, sent: readonly string[]): Field {
  const done = (draft: Draft): Field => ({ ...field, draft, search: null, recalled: null });
  if (key.kind === 'text' || key.kind === 'paste')
    return { ...field, search: search + key.text.replaceAll(/\s+/g, ' ') };
  if (key.kind === 'ctrl' && key.letter === 'c') return done(field.kept);
  if (key.kind !== 'named') return field;
  if (key.name === 'backspace') return { ...field, search: [...search].slice(0, -1).join('') };
  if (key.name === 'escape') return done(field.kept);
  if (key.name === 'enter' || key.name === 'tab')
    return done(draftOf(found(search, sent) ?? field.kept.text));
  return field;
}
