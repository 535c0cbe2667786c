import { existsSync } from 'node:fs';
import { join } from 'node:path';

const peers = ['pi', 'claude', 'opencode', 'openclaw'];

/** Which peers could be measured beside ours. The runs themselves follow with the model layer, which they are about. */
export function peersNote(): string {
  const folder = process.env.PEERS_DIR;
  if (folder === undefined)
    return `peers: none measured; set PEERS_DIR to a folder with ${peers.join(', ')} (npm i of each in its own subfolder).`;
  const missing = peers.filter((name) => !existsSync(join(folder, name, 'node_modules')));
  const found = peers.filter((name) => !missing.includes(name));
  return `peers: found ${found.join(', ') || 'none'}, cannot find ${missing.join(', ') || 'none'}; their rows need a model and are not measured in this version.`;
}
