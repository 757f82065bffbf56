// What a call did to files, as the session file keeps it: names of stored contents, never the contents themselves.

/** What a file was or is. Contents are named by the SHA-256 of their bytes, in hex. Empty: something is there, but not known. */
export interface FileState {
  /** Of the bytes on disk; absent for a file that is in the editor only. */
  readonly bytes?: string;
  /** Of the text in the editor as UTF-8, where it had unsaved changes. */
  readonly unsaved?: string;
  /** POSIX permission bits, where the system has them. */
  readonly mode?: number;
}

/** Neither `before` nor `after`: nothing was there. */
export interface ChangedFile {
  /** An absolute path or URI, as it was named. */
  readonly path: string;
  /** What was changed, where links led elsewhere than the name says. */
  readonly real?: string;
  readonly change: 'created' | 'edited' | 'deleted' | 'moved';
  /** Where it went. */
  readonly to?: string;
  readonly realTo?: string;
  readonly before?: FileState;
  readonly after?: FileState;
  /** Why what was there before cannot be put back. */
  readonly lost?: string;
}
