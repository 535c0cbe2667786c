import type { BlockContent, DefinitionContent, List, ListItem, RootContent, Table } from 'mdast';
import { memo, type ReactNode } from 'react';
import { CodeBlock } from '../code/code-block.tsx';
import { Diff } from '../diff/diff.tsx';
import { isUnifiedDiff } from '../diff/parse-diff.ts';
import { Inline } from './inline.tsx';

interface BlockProps {
  readonly node: RootContent;
  /** Of a text that is still growing: its code is not coloured yet. */
  readonly isGrowing: boolean;
}

/** One block of a text; drawn again only when it was read again. */
export const Block = memo(function Block({ node, isGrowing }: BlockProps): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return (
        <p>
          <Inline nodes={node.children} />
        </p>
      );
    case 'heading':
      // One level for all: the session's title is above them, and no level is left out.
      return (
        <h2 className={`markdown-title is-${node.depth}`}>
          <Inline nodes={node.children} />
        </h2>
      );
    case 'thematicBreak':
      return <hr />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks nodes={node.children} isGrowing={isGrowing} />
        </blockquote>
      );
    case 'list':
      return <ListBlock list={node} isGrowing={isGrowing} />;
    case 'code':
      return <Code language={node.lang ?? ''} text={node.value} isGrowing={isGrowing} />;
    case 'html':
      return <p>{node.value}</p>;
    case 'table':
      return <TableBlock table={node} />;
    case 'footnoteDefinition':
      return (
        <div className="footnote">
          <span className="tone-muted">[^{node.identifier}]</span>
          <Blocks nodes={node.children} isGrowing={isGrowing} />
        </div>
      );
    case 'definition':
      return (
        <p className="tone-muted">
          [{node.label ?? node.identifier}]: {node.url}
        </p>
      );
    default:
      return null;
  }
});

function Blocks(props: {
  readonly nodes: readonly (BlockContent | DefinitionContent)[];
  readonly isGrowing: boolean;
}): ReactNode {
  return props.nodes.map((node, index) => <Block key={index} node={node} isGrowing={props.isGrowing} />);
}

function Code(props: { language: string; text: string; isGrowing: boolean }): ReactNode {
  const { language, text, isGrowing } = props;
  const isDiff = (language === 'diff' || language === 'patch') && isUnifiedDiff(text);
  return isDiff ? <Diff text={text} /> : <CodeBlock language={language} text={text} isGrowing={isGrowing} />;
}

function ListBlock({ list, isGrowing }: { list: List; isGrowing: boolean }): ReactNode {
  const items = list.children.map((item, index) => <Item key={index} item={item} isGrowing={isGrowing} />);
  return list.ordered === true ? (
    <ol className="markdown-list" start={list.start ?? 1}>
      {items}
    </ol>
  ) : (
    <ul className="markdown-list">{items}</ul>
  );
}

function Item({ item, isGrowing }: { item: ListItem; isGrowing: boolean }): ReactNode {
  const isTask = typeof item.checked === 'boolean';
  return (
    <li className={isTask ? 'is-task' : undefined}>
      {isTask ? <span className="task-mark">{item.checked === true ? '☑' : '☐'}</span> : null}
      <Blocks nodes={item.children} isGrowing={isGrowing} />
    </li>
  );
}

/** A wide table scrolls in its own box, which the keyboard reaches. */
function TableBlock({ table }: { table: Table }): ReactNode {
  const [head, ...rows] = table.children;
  const align = (column: number): string => `align-${table.align?.[column] ?? 'left'}`;
  return (
    <div className="table-scroll" tabIndex={0} role="group">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th key={column} scope="col" className={align(column)}>
                <Inline nodes={cell.children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.children.map((cell, column) => (
                <td key={column} className={align(column)}>
                  <Inline nodes={cell.children} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
