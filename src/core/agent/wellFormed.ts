// Text as JSON can carry it: half a surrogate pair, left by a cut, would make the API refuse the whole request.
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { wellFormed } from '../output/text';

export function wellFormedJson(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [wellFormed(key), repair(value)]));
}

function repair(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(repair);
  return isJsonObject(value) ? wellFormedJson(value) : value;
}
