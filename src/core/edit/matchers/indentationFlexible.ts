// Matcher: the same lines, moved in or out as a whole, or indented by tabs instead of blanks [E5].
import { foldTypography } from '../fold';
import { agree, blockPlace, type Matcher } from '../matcher';
import { hasSameBlanks, indentationOf, isLineForLine, pairsOf } from '../pairs';

export const indentationFlexible: Matcher = {
  name: 'indentationFlexible',
  find: (search) =>
    search
      .alignments()
      .filter((alignment) => isLineForLine(alignment) && hasSameBlanks(alignment, 'without edges'))
      .filter((alignment) => agree(search, alignment, (line) => foldTypography(line).trim()))
      .filter((alignment) => indentationOf(pairsOf(search, alignment)) !== undefined)
      .map((alignment) => blockPlace(search, alignment)),
};
