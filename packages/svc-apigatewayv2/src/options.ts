import { boolean, withDefault } from '@emu/core/options';

/** Settings of HTTP and WebSocket APIs. */
export const APIGATEWAYV2_OPTIONS = {
  EMULATOR_APIGATEWAYV2_LOCAL_ENDPOINTS: withDefault('false', {
    flag: 'apigatewayv2-local-endpoints',
    schema: boolean,
    description:
      "Return emu's URL, with the API's host below emu's own, as `ApiEndpoint` of HTTP and WebSocket APIs instead of AWS's.",
    boolean: true,
    services: ['apigatewayv2'],
  }),
};
