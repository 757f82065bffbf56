// Matcher: a block of which one or two comments read differently in the file, everything else being equal [E8].
import { driftedPlaces } from '../drifted';
import { diffLines, keepsLine } from '../lineDiff';
import { isTelling } from '../fold';
import type { Matcher } from '../matcher';
import { isComment, isProseFile, isRewordedComment, isRewordedSentence } from '../prose';

export const contextAware: Matcher = {
  name: 'contextAware',
  find(search) {
    const { old, new: fresh } = search.block();
    const isReworded = isProseFile(search.file.path) ? isRewordedSentence : isRewordedComment;
    if (!isProseFile(search.file.path) && !old.some((line) => isTelling(line) && !isComment(line))) return [];
    return driftedPlaces(search, {
      maxLines: 2,
      // A line that others reworded and the model rewrites as well is a conflict.
      isSame: (line, file) => isReworded(old[line] ?? '', file) && keepsLine(diffLines(old, fresh), line),
    });
  },
};
