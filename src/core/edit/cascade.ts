// The matchers in the order in which they are tried: strict ones first. A looser one is tried only where a stricter one found nothing.
import type { Matcher } from './matcher';
import { lineTrimmed } from './matchers/lineTrimmed';
import { simple } from './matchers/simple';

export const CASCADE: readonly Matcher[] = [simple, lineTrimmed];
