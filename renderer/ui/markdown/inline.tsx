import type { PhrasingContent } from 'mdast';
import type { ReactNode } from 'react';
import { webLink } from './web-link.ts';

/** The words of a block. HTML is text, pictures are never loaded, links lead only to the web and show their host. */
export function Inline({ nodes }: { nodes: readonly PhrasingContent[] }): ReactNode {
  return nodes.map((node, index) => <Phrase key={index} node={node} />);
}

function Phrase({ node }: { node: PhrasingContent }): ReactNode {
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value;
    case 'emphasis':
      return (
        <em>
          <Inline nodes={node.children} />
        </em>
      );
    case 'strong':
      return (
        <strong>
          <Inline nodes={node.children} />
        </strong>
      );
    case 'delete':
      return (
        <del>
          <Inline nodes={node.children} />
        </del>
      );
    case 'inlineCode':
      return <code className="inline-code">{node.value}</code>;
    case 'break':
      return '\n';
    case 'link':
      return (
        <Link address={node.url} words={plainWords(node.children)}>
          <Inline nodes={node.children} />
        </Link>
      );
    case 'image':
      return <Link address={node.url} words={node.alt ?? ''}>{`▧ ${node.alt ?? ''}`}</Link>;
    case 'linkReference':
      return (
        <>
          [<Inline nodes={node.children} />]
        </>
      );
    case 'imageReference':
      return `[${node.alt ?? node.identifier}]`;
    case 'footnoteReference':
      return `[^${node.identifier}]`;
  }
}

/** A link to the web opens beside the window and learns nothing of it; any other address is only shown. */
function Link(props: {
  readonly address: string;
  readonly words: string;
  readonly children: ReactNode;
}): ReactNode {
  const { address, words, children } = props;
  const link = webLink(address);
  if (link === null) {
    return (
      <>
        {children}
        {words === address ? null : <span className="link-host"> ({address})</span>}
      </>
    );
  }
  const showsHost =
    words.includes(link.host) && /^(https?:\/\/)?[^\s/]+/.exec(words)?.[0].endsWith(link.host);
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer" title={link.href}>
      {children}
      {showsHost === true ? null : <span className="link-host"> ({link.host})</span>}
    </a>
  );
}

/** What a reader sees of words, without their marks. */
export function plainWords(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map((node) => ('children' in node ? plainWords(node.children) : 'value' in node ? node.value : ''))
    .join('');
}
