import { integrationResponses } from '../resources/integration-responses.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses.html#CreateIntegrationResponse */
export const CreateIntegrationResponse = integrationResponses.createHandler('CreateIntegrationResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#GetIntegrationResponse */
export const GetIntegrationResponse = integrationResponses.getHandler('GetIntegrationResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses.html#GetIntegrationResponses */
export const GetIntegrationResponses = integrationResponses.listHandler('GetIntegrationResponses', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#UpdateIntegrationResponse */
export const UpdateIntegrationResponse = integrationResponses.updateHandler('UpdateIntegrationResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#DeleteIntegrationResponse */
export const DeleteIntegrationResponse = integrationResponses.deleteHandler('DeleteIntegrationResponse', {});
