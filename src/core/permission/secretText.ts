// Keys and passwords in a text, by their known forms: what holds one is kept nowhere (S95).

const FORMS: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/,
  /\b(gh[oprsu]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abeoprs]-|dop_v1_|shp(at|ca|pa|ss)_)[\w-]{10,}/,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(bearer|basic)\s+[\w.~+/=-]{8,}/i,
  /\b(authorization|x-api-key|cookie)\s*[:=]/i,
  /[\w-]*(password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|credential)s?["']?\s*[=:]\s*\S/i,
  /(^|[\s;&|_])(PG)?(PASS|PWD)\w*=\S/i,
  /--?(password|passwd|pass|secret|token|api[_-]?key)(=|\s+)\S/i,
  /:\/\/[^\s/:@]*:[^\s/@]+@/,
];

/** May say so of a text that holds none: a rule that is not kept is only asked for again. */
export function holdsSecret(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}
