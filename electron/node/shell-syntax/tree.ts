import { KairosError } from '../../../shared/base/errors.ts';

import type { Syntax } from './load-syntax.ts';

/** A node of the parser's tree. Its fields are read by name through `Tree`, which refuses what is not there. */
export interface SyntaxNode {
  readonly kind: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads nodes of one parsed text. Faults are KairosError `shell_tree`: the text counts as not parsed then. */
export class Tree {
  readonly #bytes: Buffer;
  readonly #syntax: Syntax;

  constructor(text: string, syntax: Syntax) {
    this.#bytes = Buffer.from(text, 'utf8');
    this.#syntax = syntax;
  }

  /** The node behind a value of the parser. */
  node(value: unknown): SyntaxNode {
    if (!isRecord(value)) throw strange('something that is no node');
    return { kind: this.#syntax.NodeType(value), raw: value };
  }

  /** A node in a field; null where the field is empty. */
  child(node: SyntaxNode, field: string): SyntaxNode | null {
    const value = node.raw[field];
    if (value === undefined) throw strange(`${node.kind} without ${field}`);
    return value === null ? null : this.node(value);
  }

  /** The nodes in a list. */
  children(node: SyntaxNode, field: string): SyntaxNode[] {
    const value = node.raw[field];
    if (value === null) return [];
    if (!Array.isArray(value)) throw strange(`${node.kind} without a list ${field}`);
    if (value.length > longestList) throw new KairosError('shell_tree', 'it has too many words');
    return value.map((item) => this.node(item));
  }

  flag(node: SyntaxNode, field: string): boolean {
    const value = node.raw[field];
    if (typeof value !== 'boolean') throw strange(`${node.kind} without ${field}`);
    return value;
  }

  number(node: SyntaxNode, field: string): number {
    const value = node.raw[field];
    if (typeof value !== 'number') throw strange(`${node.kind} without ${field}`);
    return value;
  }

  text(node: SyntaxNode, field: string): string {
    const value = node.raw[field];
    if (typeof value !== 'string') throw strange(`${node.kind} without ${field}`);
    return value;
  }

  /** Where a sign stands that is no node of its own. */
  position(node: SyntaxNode, field: string): number {
    const value = node.raw[field];
    if (!isRecord(value)) throw strange(`${node.kind} without ${field}`);
    return offset(() => value);
  }

  /** Offsets at which comments begin anywhere below a node. */
  comments(node: SyntaxNode): number[] {
    const found: number[] = [];
    this.#syntax.Walk(node.raw, (value) => {
      if (isRecord(value) && this.#syntax.NodeType(value) === 'Comment') found.push(offset(value['Pos']));
      return true;
    });
    return found;
  }

  /** The text between two offsets as it was written. */
  slice(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }

  source(node: SyntaxNode): string {
    return this.slice(offset(node.raw['Pos']), offset(node.raw['End']));
  }
}

/** Words of a command, commands of a list; handing one over takes the parser some tens of microseconds. */
const longestList = 1_500;

function isRecord(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

function offset(position: unknown): number {
  const place: unknown = typeof position === 'function' ? position() : null;
  const at: unknown = isRecord(place) && typeof place['Offset'] === 'function' ? place['Offset']() : null;
  if (typeof at !== 'number') throw strange('a node without a position');
  return at;
}

function strange(what: string): KairosError {
  return new KairosError('shell_tree', `the shell parser gave ${what}`);
}
