/** What a build has. A variable set to 0 leaves code out: BUILD_KAIROS send_user_file and brief mode, BUILD_KAIROS_BRIEF brief mode alone. */
export function featuresOf(env) {
  const kairos = env.BUILD_KAIROS !== '0';
  return { kairos, brief: kairos && env.BUILD_KAIROS_BRIEF !== '0' };
}

/** The names that sources ask for a feature (electron/node/build-flags.ts). */
export function featureDefines({ kairos, brief }) {
  return { __BUILD_KAIROS__: String(kairos), __BUILD_KAIROS_BRIEF__: String(brief) };
}
