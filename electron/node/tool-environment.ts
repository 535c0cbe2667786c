import type { Environment } from './environment-text.ts';

/** Variables of model providers: an agent that can read them can spend with them. */
const modelPrefixes = [
  'ANTHROPIC_',
  'OPENAI_',
  'OPENROUTER_',
  'AZURE_OPENAI_',
  'GEMINI_',
  'MISTRAL_',
  'DEEPSEEK_',
  'GROQ_',
  'XAI_',
  'CEREBRAS_',
  'TOGETHER_',
  'MOONSHOT_',
  'DASHSCOPE_',
];

const secretName = /(?:^|_)(?:TOKEN|SECRET|API_?KEY|PASSWORD|PASSWD|SECRET_(?:ACCESS_)?KEY|PRIVATE_KEY)$/i;

/** Our own variables never reach a tool; the one that marks the run is added for the sweep. */
const ownPrefix = 'KAIROS_';
const runVariable = 'KAIROS_RUN';

/** True for a variable that looks like a credential of a model provider or of anything else. */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return modelPrefixes.some((prefix) => upper.startsWith(prefix)) || secretName.test(name);
}

/** `run` marks the processes (see runMark); `pass` names the credentials that tools may have all the same, exactly. */
export interface ToolEnvironmentOptions {
  readonly login: Environment;
  readonly run: string;
  readonly pass?: readonly string[];
}

/**
 * Environment of shells, hooks and tool servers: the person's own without KAIROS_*, without credentials that are not in
 * `pass`, with the mark of the run.
 */
export function toolEnvironment({ login, run, pass = [] }: ToolEnvironmentOptions): Environment {
  const passed = new Set(pass);
  const kept = Object.entries(login).filter(([name]) => {
    if (name.toUpperCase().startsWith(ownPrefix)) return false;
    return passed.has(name) || !isSecretName(name);
  });
  return { ...Object.fromEntries(kept), [runVariable]: run };
}

/** What a worker needs of the surroundings: who and where the person is, how to reach the network, what to trust. */
const workerNames = new Set([
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
  'KAIROS_HOME',
  'KAIROS_CRASH',
  'KAIROS_CRASH_DIR',
  // Windows cannot start programs without these.
  'SYSTEMROOT',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
]);

const workerPrefixes = ['LC_', 'XDG_'];

/** `from` is the daemon's own environment; `extra` names what one kind of worker needs besides. */
export interface WorkerEnvironmentOptions {
  readonly from: Readonly<Record<string, string | undefined>>;
  readonly run: string;
  readonly extra?: readonly string[];
}

/** Environment of a worker: an allow-list, so that no secret can get in by its name; plus the mark of the run. */
export function workerEnvironment({ from, run, extra = [] }: WorkerEnvironmentOptions): Environment {
  const added = new Set(extra);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    const upper = name.toUpperCase();
    const allowed =
      workerNames.has(upper) || added.has(name) || workerPrefixes.some((prefix) => upper.startsWith(prefix));
    if (allowed && value !== undefined) env[name] = value;
  }
  env[runVariable] = run;
  return env;
}
