/** The model that new sessions get: `KAIROS_MODEL`, else the offline engine. Read once, at the daemon's start. */
export function defaultModel(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.KAIROS_MODEL?.trim();
  return named === undefined || named === '' ? 'offline' : named;
}

/** Why sessions with this model cannot run in this version, or null. */
export function modelProblem(model: string): { message: string; next: string } | null {
  if (model === 'offline') return null;
  return {
    message: `The model "${model}" cannot be used: this version has only the offline engine.`,
    next: 'Start the daemon with KAIROS_MODEL=offline, or name --model offline when sending.',
  };
}
