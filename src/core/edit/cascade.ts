// The matchers in the order in which they are tried: strict ones first. A looser one is tried only where a stricter one found nothing.
import type { Matcher } from './matcher';
import { blockAnchor } from './matchers/blockAnchor';
import { contextAware } from './matchers/contextAware';
import { escapedNormalized } from './matchers/escapedNormalized';
import { indentationFlexible } from './matchers/indentationFlexible';
import { lineTrimmed } from './matchers/lineTrimmed';
import { multiOccurrence } from './matchers/multiOccurrence';
import { quoteTolerant } from './matchers/quoteTolerant';
import { simple } from './matchers/simple';
import { trimmedBoundary } from './matchers/trimmedBoundary';
import { whitespaceNormalized } from './matchers/whitespaceNormalized';

const SAME_INK = [simple, lineTrimmed, trimmedBoundary, quoteTolerant, indentationFlexible, whitespaceNormalized];
const DRIFTED = [contextAware, blockAnchor];

export const CASCADE: readonly Matcher[] = [...SAME_INK, escapedNormalized([...SAME_INK, ...DRIFTED]), ...DRIFTED];

/** For an edit that asks for every occurrence: nothing but exact ones. */
export const CASCADE_FOR_ALL: readonly Matcher[] = [multiOccurrence];
