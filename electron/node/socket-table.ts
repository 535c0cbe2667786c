/** One row of /proc/net/tcp or tcp6 that belongs to a connection: the inode of its socket and the uid of its owner. */
export interface SocketRow {
  readonly inode: string;
  readonly uid: number;
}

function isLoopback(hexAddress: string): boolean {
  // Each 32-bit word is printed in host order: 127.0.0.1 is 0100007F; ::1 ends in 01000000; ::ffff:127.x ends in ..7F.
  if (hexAddress.length === 8) return hexAddress.endsWith('7F');
  return (
    hexAddress === '00000000000000000000000001000000' ||
    (hexAddress.startsWith('0000000000000000FFFF0000') && hexAddress.endsWith('7F'))
  );
}

/** The loopback connection with these ports (as its owner sees them) in the text of /proc/net/tcp or tcp6, or undefined. */
export function findSocketRow(text: string, localPort: number, remotePort: number): SocketRow | undefined {
  const port = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');
  const [local, remote] = [`:${port(localPort)}`, `:${port(remotePort)}`];
  for (const line of text.split('\n')) {
    if (!line.includes(local) || !line.includes(remote)) continue;
    const fields = line.trim().split(/\s+/);
    const [, own = '', peer = ''] = fields;
    const inode = fields[9];
    if (!own.endsWith(local) || !peer.endsWith(remote) || inode === undefined) continue;
    if (isLoopback(own.slice(0, -5))) return { inode, uid: Number(fields[7]) };
  }
  return undefined;
}

/** The pid that owns the connection in the output of `lsof -F pn` (lines `p<pid>`, `n<local>-><remote>`), or undefined. */
export function findInLsof(text: string, localPort: number, remotePort: number): number | undefined {
  let pid: number | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    if (!line.startsWith('n')) continue;
    const [own = '', peer = ''] = line.slice(1).split('->');
    if (own.endsWith(`:${localPort}`) && peer.endsWith(`:${remotePort}`)) return pid;
  }
  return undefined;
}
