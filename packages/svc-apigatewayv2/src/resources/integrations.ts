import { lowerId } from '@emu/core/descriptors';
import { descriptor } from '../descriptor.ts';
import { notFound } from '../errors.ts';
import { checkIntegration, type IntegrationSettings } from '../validation/integration.ts';
import { apis } from './apis.ts';

/** Integrations. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html */
export const integrations = descriptor({
  name: 'Integration',
  records: 'integrations',
  owner: apis,
  key: 'IntegrationId',
  id: lowerId(7),
  missing: () => notFound('Invalid Integration identifier specified'),
  emptiable: ['ConnectionId', 'CredentialsArn', 'RequestTemplates', 'TemplateSelectionExpression', 'TlsConfig'],
  rules: [(integration, { owner }) => checkIntegration(owner.ProtocolType, integration as IntegrationSettings)],
  changed: (_integration, { at, ctx }) => ctx.state.changed(at.ApiId),
});
