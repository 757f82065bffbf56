// The machine this runs on, as the core wants to know it.
import { homedir, platform } from 'node:os';
import type { Platform } from '../core/host';

export function currentPlatform(): Platform {
  const os = platform();
  return {
    os,
    homeDir: homedir(),
    foldsCase: os === 'win32' || os === 'darwin',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
