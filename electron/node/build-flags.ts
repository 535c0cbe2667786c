/** Set by the bundler; run from the sources every feature is there. */
declare const __BUILD_KAIROS_BRIEF__: boolean | undefined;

/** False in a build made with BUILD_KAIROS=0 or BUILD_KAIROS_BRIEF=0: brief mode is left out. */
export const buildsBrief: boolean =
  typeof __BUILD_KAIROS_BRIEF__ === 'undefined' || __BUILD_KAIROS_BRIEF__ === true;
