import { type AwsError, type ValidationFailure, validationError } from '@emu/wire';
import model from '../model/apigateway.json' with { type: 'json' };

interface Members {
  readonly members?: Readonly<Record<string, { readonly location?: string }>>;
}

const OPERATIONS = model.operations as unknown as Readonly<
  Record<string, { readonly input?: { readonly shape: string } }>
>;
const SHAPES = model.shapes as unknown as Readonly<Record<string, Members>>;

/** Enumeration values in AWS's recorded order. */
const ORDERS: ReadonlyMap<string, string> = new Map(
  [
    'add, remove, move, test, replace, copy',
    'HTTP, MOCK, AWS_PROXY, HTTP_PROXY, AWS',
    'PRIVATE, EDGE, REGIONAL',
    'RESPONSE_BODY, RESPONSE, METHOD, MODEL, AUTHORIZER, RESPONSE_HEADER, RESOURCE, PATH_PARAMETER, REQUEST_BODY, QUERY_PARAMETER, API, REQUEST_HEADER',
    'REQUEST_TOO_LARGE, RESOURCE_NOT_FOUND, AUTHORIZER_CONFIGURATION_ERROR, MISSING_AUTHENTICATION_TOKEN, BAD_REQUEST_BODY, INVALID_SIGNATURE, INVALID_API_KEY, BAD_REQUEST_PARAMETERS, AUTHORIZER_FAILURE, UNAUTHORIZED, INTEGRATION_TIMEOUT, ACCESS_DENIED, DEFAULT_4XX, DEFAULT_5XX, WAF_FILTERED, QUOTA_EXCEEDED, THROTTLED, API_CONFIGURATION_ERROR, UNSUPPORTED_MEDIA_TYPE, INTEGRATION_FAILURE, EXPIRED_TOKEN',
  ].map((list) => [sorted(list), list]),
);

function sorted(list: string): string {
  return list.split(', ').sort().join();
}

const ENUM = /(failed to satisfy constraint: Member must satisfy enum value set: \[)([^\]]*)(\])/;

/**
 * Returns AWS's recorded error for an invalid input: members of the body below the name of the operation's input and
 * before those of the path; enumerations in AWS's order.
 */
export function refuse(failures: readonly ValidationFailure[], operation: string): AwsError {
  const input = SHAPES[OPERATIONS[operation]?.input?.shape ?? '']?.members ?? {};
  const isOfBody = ({ members: [first] }: ValidationFailure): boolean => input[String(first)]?.location === undefined;
  const name = `${operation[0]!.toLowerCase()}${operation.slice(1)}Input`;
  const described = failures.map((failure) => {
    const path = isOfBody(failure) ? `${name}.${failure.path}` : failure.path;
    const message = failure.message
      .replace(`at '${failure.path}'`, () => `at '${path}'`)
      .replace(
        ENUM,
        (_, before: string, list: string, after: string) => `${before}${ORDERS.get(sorted(list)) ?? list}${after}`,
      );
    return { ...failure, path, message };
  });
  const [body, rest] = [
    described.filter((_, at) => isOfBody(failures[at]!)),
    described.filter((_, at) => !isOfBody(failures[at]!)),
  ];
  return validationError([...body, ...rest]);
}
