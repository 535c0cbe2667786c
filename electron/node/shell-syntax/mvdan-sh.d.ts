/** The part of the package that is used here; it brings no types. Nodes are read through `tree.ts`, which checks what it gets. */
declare module 'mvdan-sh' {
  interface Parser {
    Parse(text: string, name: string): unknown;
  }
  type Option = { readonly option: unique symbol };
  type Language = { readonly language: unique symbol };
  const shell: {
    readonly syntax: {
      NewParser(...options: readonly Option[]): Parser;
      Variant(language: Language): Option;
      KeepComments(keep: boolean): Option;
      readonly LangBash: Language;
      readonly LangPOSIX: Language;
      NodeType(node: unknown): string;
      Walk(node: unknown, visit: (node: unknown) => boolean): void;
    };
  };
  export default shell;
}
