import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { loadLanguage } from './languages.ts';

/** A piece of a line and the custom property of its colour (tokens.css), null for plain text. */
export interface CodeToken {
  readonly text: string;
  readonly colour: string | null;
}

const theme = createCssVariablesTheme({ name: 'kairos', variablePrefix: '--code-', fontStyle: false });
const plain = 'var(--code-foreground)';

let made: Promise<HighlighterCore> | null = null;

/** Lines of coloured code. Grammars run as regular expressions of the browser: nothing is compiled, nothing loaded from elsewhere. */
export async function highlight(text: string, language: string): Promise<readonly (readonly CodeToken[])[]> {
  // A grammar that uses what browsers do not know is coloured less instead of not at all.
  made ??= createHighlighterCore({
    themes: [theme],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await made;
  if (!highlighter.getLoadedLanguages().includes(language))
    await highlighter.loadLanguage(await loadLanguage(language));
  const { tokens } = highlighter.codeToTokens(text, { lang: language, theme: 'kairos' });
  return tokens.map((line) =>
    line.map(({ content, color }) => ({ text: content, colour: color === plain ? null : (color ?? null) })),
  );
}
