import { resolve } from 'node:path';
import { directoryChanges, staysInDirectory } from '../../../shared/domain/permissions/directory-changes.ts';
import type { ShellFacts, ShellPart, ShellRedirect } from '../../../shared/domain/permissions/shell-facts.ts';
import { parseShell } from '../../node/shell-syntax/parse-shell.ts';
import { HomeLinks } from './home-links.ts';
import { linkNames } from './link-names.ts';
import { realPathOf } from './real-path.ts';
import type { ToolContext } from './tool.ts';

type Places = Pick<ToolContext, 'dir' | 'home'>;

/** What a command consists of, with the real paths of what it redirects to. `cwd`: real path of the directory it starts in. */
export async function commandFacts(command: string, cwd: string, context: Places): Promise<ShellFacts> {
  const shell = await parseShell(command);
  if (shell.kind === 'unparsed') return shell;
  const stays = staysInDirectory(shell);
  const withPaths = (redirects: readonly ShellRedirect[]): Promise<ShellRedirect[]> =>
    Promise.all(redirects.map((redirect) => resolved(redirect, cwd, stays, context)));
  const own = new HomeLinks(context.home);
  const changes = directoryChanges(shell.parts);
  const [change] = changes;
  const way = changes.length === 1 && change !== undefined ? await destination(change, cwd) : null;
  const parts = shell.parts.map(async (part) => {
    const goesTo = changes[0] === part ? way : null;
    const leadsTo = await linksOf(part, way === null ? [cwd] : [cwd, way], own);
    return {
      ...part,
      redirects: await withPaths(part.redirects),
      ...(goesTo === null ? {} : { goesTo }),
      ...(leadsTo.length === 0 ? {} : { leadsTo: [...leadsTo] }),
    };
  });
  return { ...shell, parts: await Promise.all(parts), redirects: await withPaths(shell.redirects) };
}

async function resolved(
  redirect: ShellRedirect,
  cwd: string,
  stays: boolean,
  context: Places,
): Promise<ShellRedirect> {
  const { access, target } = redirect;
  if (access === 'none' || target?.kind !== 'literal' || target.text === '') return redirect;
  if (!target.text.startsWith('/') && !stays) return redirect;
  return { ...redirect, paths: [...(await pathsOf(target.text, cwd, context))] };
}

/** Both ends of links; empty when it cannot be told where it leads. */
async function pathsOf(target: string, cwd: string, { dir, home }: Places): Promise<readonly string[]> {
  // Not joined: a system takes `link/..` as the folder above what the link leads to.
  const named = target.startsWith('/') ? target : `${cwd}/${target}`;
  const path = await realPathOf(named).catch(() => null);
  if (path === null) return [];
  const own = new HomeLinks(home).behind(path);
  const others = await linkNames(resolve(named), [dir, home]);
  return [...new Set([path, ...others, ...(own === null ? [] : [own])])];
}

/** What a link is called says nothing about what is read through it. */
async function linksOf(
  { words }: ShellPart,
  dirs: readonly string[],
  own: HomeLinks,
): Promise<readonly string[]> {
  const named = words.slice(1).filter(({ kind, text }) => kind === 'literal' && text !== '');
  const found = named.flatMap(({ text }) =>
    dirs.map(async (dir) => {
      const path = await realPathOf(text.startsWith('/') ? text : `${dir}/${text}`).catch(() => null);
      if (path === null) return [];
      const behind = own.behind(path);
      return [...(path === resolve(dir, text) ? [] : [path]), ...(behind === null ? [] : [behind])];
    }),
  );
  return [...new Set((await Promise.all(found)).flat())];
}

/** Where a plain `cd` goes; null when that is not sure. */
async function destination({ words }: ShellPart, cwd: string): Promise<string | null> {
  const [first, ...rest] = words.map(({ kind, text }) => (kind === 'literal' ? text : null));
  const [to, ...more] = rest[0] === '--' ? rest.slice(1) : rest;
  if (first !== 'cd' || typeof to !== 'string' || more.length > 0 || to === '' || to.startsWith('-'))
    return null;
  const logical = resolve(cwd, to);
  // A shell goes up from a link by its name, a system by what it leads to.
  const [one, other] = await Promise.all(
    [logical, to.startsWith('/') ? to : `${cwd}/${to}`].map((path) => realPathOf(path).catch(() => null)),
  );
  return one !== undefined && one === other ? one : null;
}
