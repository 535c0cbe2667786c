type Variables = Readonly<Record<string, string>>;

/** Ways to agents, buses and displays of the person's login: what they name is not there inside. */
const waysOut = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'GNOME_KEYRING_CONTROL',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'WAYLAND_SOCKET',
  'XAUTHORITY',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'TMUX',
  'XDG_RUNTIME_DIR',
  'NOTIFY_SOCKET',
  'LISTEN_FDS',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
];

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'FTP_PROXY', 'NO_PROXY'];

/** What is there for what runs: a temp folder, and a proxy on a port of this machine (null: no network). */
interface Inside {
  readonly temp: string;
  readonly proxyPort: number | null;
}

/** The tools' environment as it is inside: a temp folder that exists, no ways out but the proxy. */
export function insideEnvironment(variables: Variables, { temp, proxyPort }: Inside): Variables {
  const gone = new Set([...waysOut, ...proxyNames]);
  const kept = Object.entries(variables).filter(([name]) => !gone.has(name) && !gone.has(name.toUpperCase()));
  const http = `http://127.0.0.1:${proxyPort}`;
  const proxies = {
    HTTP_PROXY: http,
    HTTPS_PROXY: http,
    ALL_PROXY: `socks5h://127.0.0.1:${proxyPort}`,
    NO_PROXY: 'localhost,127.0.0.1,::1',
  };
  const both = Object.entries(proxies).flatMap(([name, value]) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  const network = proxyPort !== null ? { ...Object.fromEntries(both), NODE_USE_ENV_PROXY: '1' } : {};
  return { ...Object.fromEntries(kept), ...network, TMPDIR: temp, KAIROS_SANDBOX: '1' };
}
