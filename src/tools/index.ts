// The built-in tools: one file each and one line here.
import type { Tool } from '../core/tool/tool';
import { bash } from './bash';
import { call } from './call';
import { deleteFile } from './delete';
import { edit } from './edit';
import { glob } from './glob';
import { grep } from './grep';
import { ls } from './ls';
import { move } from './move';
import { notebookedit } from './notebookedit';
import { output } from './output';
import { question } from './question';
import { read } from './read';
import { stop } from './stop';
import { tasks } from './tasks';
import { todowrite } from './todowrite';
import { toolsearch } from './toolsearch';
import { write } from './write';

export const TOOLS: readonly Tool[] = [
  bash,
  call,
  deleteFile,
  edit,
  glob,
  grep,
  ls,
  move,
  notebookedit,
  output,
  question,
  read,
  stop,
  tasks,
  todowrite,
  toolsearch,
  write,
];
