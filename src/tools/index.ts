// The built-in tools: one file each and one line here.
import type { Tool } from '../core/tool/tool';

export const TOOLS: readonly Tool[] = [];
