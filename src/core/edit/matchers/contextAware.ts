// Matcher: a block of which one or two comments read differently in the file, everything else being equal [E8].
import type { Matcher } from '../matcher';
import { driftedPlaces } from '../drifted';
import { isProseFile, isRewordedComment, isRewordedSentence } from '../prose';

export const contextAware: Matcher = {
  name: 'contextAware',
  find: (search) =>
    driftedPlaces(search, {
      maxLines: 2,
      isSame: isProseFile(search.file.path) ? isRewordedSentence : isRewordedComment,
    }),
};
