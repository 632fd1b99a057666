import { boolean, withDefault } from '@emu/core/options';

/** Settings of HTTP and WebSocket APIs. */
export const APIGATEWAYV2_OPTIONS = {
  EMULATOR_APIGATEWAYV2_LOCAL_ENDPOINTS: withDefault('false', {
    flag: 'apigatewayv2-local-endpoints',
    schema: boolean,
    description:
      "Have `ApiEndpoint` of HTTP and WebSocket APIs be the address by which emu is reached, with the API's host below `localhost`, instead of AWS's.",
    boolean: true,
    services: ['apigatewayv2'],
  }),
};
