import { win32 } from 'node:path';

/** Where the administrator of a machine says what holds for everybody on it; only an administrator can write there. */
export function managedSettingsFile(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'darwin') return '/Library/Application Support/Kairos/managed-settings.json';
  if (platform !== 'win32') return '/etc/kairos/managed-settings.json';
  const folder = env.ProgramData ?? env.PROGRAMDATA ?? 'C:\\ProgramData';
  return win32.join(folder, 'Kairos', 'managed-settings.json');
}
