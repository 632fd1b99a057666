import { choice, withDefault } from '@emu/core/options';

/** Settings of Cognito user pools. */
export const COGNITO_OPTIONS = {
  EMULATOR_COGNITO_ISSUER: withDefault('aws', {
    flag: 'cognito-issuer',
    schema: choice('aws', 'local'),
    description:
      "Issuer in user pools' tokens and discovery documents: AWS's address (aws), which verifiers of Cognito's tokens expect, or emu's own (local), at which OpenID Connect clients find the documents.",
    placeholder: 'aws|local',
    services: ['cognito-idp'],
  }),
};
