import type { ApigatewaymanagementapiErrorName } from '@emu/service-types/apigatewaymanagementapi';
import { awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const apigatewaymanagementapiError: ErrorsOf<ApigatewaymanagementapiErrorName | 'BadRequestException'> =
  awsError;
