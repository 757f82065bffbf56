// The API's error bodies, and which error type belongs to which HTTP status.
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export interface ErrorBody {
  type: 'error';
  error: { type: string; message: string };
  request_id: string;
}

export function errorTypeOf(status: number): string {
  return ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

export function errorBody(type: string, message: string, requestId: string): ErrorBody {
  return { type: 'error', error: { type, message }, request_id: requestId };
}
