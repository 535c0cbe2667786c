import { lineAt } from './sources.mjs';

const explained = ['shared', 'electron'];

function nameOf(declaration) {
  return declaration.id?.name ?? declaration.declarations?.[0]?.id?.name;
}

// `export type X = z.infer<typeof xSchema>`: the schema above it has said what it is.
function inferredFrom(declaration) {
  if (declaration.type !== 'TSTypeAliasDeclaration') return undefined;
  const { typeName, typeArguments } = declaration.typeAnnotation;
  if (typeName?.left?.name !== 'z' || typeName.right?.name !== 'infer') return undefined;
  return typeArguments?.params[0]?.exprName?.name;
}

function hasDocComment(source, statement, comments) {
  const before = comments.filter(({ end }) => end <= statement.start).at(-1);
  if (before === undefined || before.type !== 'Block' || !before.value.startsWith('*')) return false;
  return /^\s*$/.test(source.text.slice(before.end, statement.start)) && before.value.trim() !== '*';
}

function undocumented(source) {
  const { body } = source.program;
  return body.filter((statement, index) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return false;
    if (hasDocComment(source, statement, source.comments)) return false;
    const schema = inferredFrom(statement.declaration);
    const above = body[index - 1]?.declaration;
    return schema === undefined || above === undefined || above === null || nameOf(above) !== schema;
  });
}

/** Exports of the product without a contract sentence (a doc comment right above), except types inferred from the schema above them. */
export function checkDocComments(sources) {
  return sources
    .filter(({ path }) => explained.some((folder) => path.startsWith(`${folder}/`)))
    .flatMap((source) =>
      undocumented(source).map(
        ({ start, declaration }) =>
          `${source.path}:${lineAt(source.text, start)}: ${nameOf(declaration)} is exported without a sentence on what it promises`,
      ),
    );
}
