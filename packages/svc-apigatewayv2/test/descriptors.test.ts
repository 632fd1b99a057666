import { type DescriptorCase, describeDescriptors, fakeService, type MadeIds } from '@emu/gateway/testing';
import { plugin } from '../src/index.ts';
import { manifest } from '../src/manifest.ts';
import { apis } from '../src/resources/apis.ts';
import { authorizers } from '../src/resources/authorizers.ts';
import { deployments } from '../src/resources/deployments.ts';
import { endpointPages } from '../src/resources/endpoint-pages.ts';
import { integrationResponses } from '../src/resources/integration-responses.ts';
import { integrations } from '../src/resources/integrations.ts';
import { models } from '../src/resources/models.ts';
import { portalProducts } from '../src/resources/portal-products.ts';
import { portals } from '../src/resources/portals.ts';
import { productPages } from '../src/resources/product-pages.ts';
import { routeResponses } from '../src/resources/route-responses.ts';
import { routes } from '../src/resources/routes.ts';
import { stages } from '../src/resources/stages.ts';
import { vpcLinks } from '../src/resources/vpc-links.ts';

const INVALID = 'BadRequestException';
const POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'apigateway:GET', Resource: '*' }],
});
const COLORS = Object.fromEntries(
  ['Accent', 'Background', 'ErrorValidation', 'Header', 'Navigation', 'Text'].map((name) => [
    `${name}Color`,
    '#111111',
  ]),
);
const PORTAL = {
  Authorization: { None: {} },
  EndpointConfiguration: { None: {} },
  PortalContent: { DisplayName: 'portal', Theme: { CustomColors: COLORS } },
};
const JWT = {
  AuthorizerType: 'JWT',
  IdentitySource: ['$request.header.Authorization'],
  JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['a'] },
};

const within = ({ apis: api }: MadeIds) => ({ ApiId: api!.ApiId });
const inProduct = ({ products: product }: MadeIds) => ({ PortalProductId: product!.PortalProductId });
const tagged = (input: object, Tags: object) => ({ ...input, Tags });

const integrationCase: DescriptorCase = {
  descriptor: integrations,
  input: (made, n) => ({
    ...within(made),
    IntegrationType: 'HTTP_PROXY',
    IntegrationMethod: 'GET',
    IntegrationUri: `https://${n}.example`,
  }),
  invalid: {
    'an invalid URI': () => [{ IntegrationUri: 'x' }, INVALID],
    'a timeout that is too short': () => [{ TimeoutInMillis: 1 }, INVALID],
  },
};

describeDescriptors({
  plugin,
  manifest,
  services: [
    fakeService('apigateway', {
      GetStage: () => ({}),
      GetResources: () => ({
        items: [0, 1, 2, 3].map((n) => ({ path: `/p${n}`, resourceMethods: { GET: { operationName: 'read' } } })),
      }),
    }),
  ],
  tagged,
  resources: {
    apis: {
      descriptor: apis,
      input: (_made, n) => ({ Name: `api${n}`, ProtocolType: 'HTTP' }),
      others: { UpdateApi: () => ({ Name: 'changed' }) },
      invalid: {
        'a long name': () => [{ Name: 'n'.repeat(129) }, INVALID],
        'another selection of routes': () => [{ RouteSelectionExpression: '$request.body.a' }, INVALID],
        'a target of WebSocket APIs': () => [{ RouteKey: 'GET /' }, INVALID],
      },
    },
    integrations: integrationCase,
    authorizers: {
      descriptor: authorizers,
      input: (made, n) => ({ ...within(made), ...JWT, Name: `jwt${n}` }),
      others: { UpdateAuthorizer: () => ({ Name: 'changed' }) },
      invalid: { 'an unknown source': () => [{ IdentitySource: ['x'] }, INVALID] },
    },
    routes: {
      descriptor: routes,
      input: (made, n) => ({
        ...within(made),
        RouteKey: `GET /${n}`,
        Target: `integrations/${made.integrations!.IntegrationId}`,
        AuthorizationType: 'JWT',
        AuthorizerId: made.authorizers!.AuthorizerId,
        RequestParameters: {},
      }),
      others: {
        UpdateRoute: () => ({ OperationName: 'changed' }),
        DeleteRouteRequestParameter: () => ({ RequestParameterKey: 'x' }),
      },
      without: ['DeleteRouteRequestParameter'],
      invalid: {
        'a target of another form': () => [{ Target: 'x' }, INVALID],
        'an authorizer without need': () => [{ AuthorizationType: 'NONE' }, INVALID],
        'scopes without JWT': () => [
          { AuthorizationType: 'AWS_IAM', AuthorizerId: undefined, AuthorizationScopes: ['a'] },
          INVALID,
        ],
        'models of WebSocket APIs': () => [{ RequestModels: { a: 'b' } }, INVALID],
      },
    },
    deployments: { descriptor: deployments, creation: 'CreateDeployment', input: within },
    stages: {
      descriptor: stages,
      input: (made, n) => ({ ...within(made), StageName: `s${n}`, RouteSettings: { 'GET /0': {} } }),
      others: {
        UpdateStage: () => ({ Description: 'changed' }),
        DeleteRouteSettings: () => ({ RouteKey: 'GET /0' }),
      },
      invalid: {
        'an invalid name': () => [{ StageName: 'a b' }, INVALID],
        'settings for unknown routes': () => [{ RouteSettings: { 'GET /x': {} } }, 'NotFoundException'],
        'an unknown certificate': () => [{ ClientCertificateId: 'x' }, INVALID],
      },
    },
    vpcLinks: {
      descriptor: vpcLinks,
      input: (_made, n) => ({ Name: `link${n}`, SubnetIds: ['subnet-01234567'] }),
      others: { UpdateVpcLink: () => ({ Name: 'changed' }) },
      invalid: {
        'no subnets': () => [{ SubnetIds: [] }, INVALID],
        'subnets of another form': () => [{ SubnetIds: ['x'] }, INVALID],
        'groups of another form': () => [{ SecurityGroupIds: ['x'] }, INVALID],
      },
    },
    products: {
      descriptor: portalProducts,
      input: (_made, n) => ({ DisplayName: `product${n}` }),
      others: { PutPortalProductSharingPolicy: () => ({ PolicyDocument: POLICY }) },
    },
    pages: {
      descriptor: productPages,
      input: (made, n) => ({ ...inProduct(made), DisplayContent: { Title: `page${n}`, Body: 'text' } }),
    },
    endpointPages: {
      descriptor: endpointPages,
      input: (made, n) => ({
        ...inProduct(made),
        RestEndpointIdentifier: {
          IdentifierParts: { RestApiId: 'api', Stage: 'prod', Path: `/p${n}`, Method: 'GET' },
        },
      }),
      invalid: {
        'content that is overridden and is not': () => [{ DisplayContent: { None: {}, Overrides: {} } }, INVALID],
      },
    },
    portals: {
      descriptor: portals,
      input: () => PORTAL,
      invalid: {
        'two kinds of authorization': () => [{ Authorization: {} }, INVALID],
        'an unknown product': () => [{ IncludedPortalProductArns: ['x'] }, INVALID],
      },
    },
  },
});

describeDescriptors({
  plugin,
  manifest,
  tagged,
  resources: {
    apis: {
      descriptor: apis,
      input: (_made, n) => ({
        Name: `socket${n}`,
        ProtocolType: 'WEBSOCKET',
        RouteSelectionExpression: '$request.body.action',
      }),
    },
    models: {
      descriptor: models,
      input: (made, n) => ({ ...within(made), Name: `model${n}`, Schema: '{"type":"object"}' }),
      invalid: {
        'a name with a hyphen': () => [{ Name: 'a-b' }, INVALID],
        'a schema that is not an object': () => [{ Schema: '[]' }, INVALID],
      },
    },
    integrations: integrationCase,
    integrationResponses: {
      descriptor: integrationResponses,
      input: (made, n) => ({ ...made.integrations, IntegrationResponseKey: `/${n}/` }),
      invalid: {
        'an invalid key': () => [{ IntegrationResponseKey: 'x' }, INVALID],
        'binary responses': () => [{ ContentHandlingStrategy: 'CONVERT_TO_BINARY' }, 'NotImplemented'],
      },
    },
    routes: {
      descriptor: routes,
      input: (made, n) => ({
        ...within(made),
        RouteKey: n === 0 ? '$connect' : `route${n}`,
        Target: `integrations/${made.integrations!.IntegrationId}`,
        ...(n === 0 && { RequestParameters: { 'route.request.header.a': { Required: true } } }),
      }),
      others: { DeleteRouteRequestParameter: () => ({ RequestParameterKey: 'route.request.header.a' }) },
      invalid: {
        'JWT authorization': () => [{ AuthorizationType: 'JWT' }, INVALID],
        'an unknown model': () => [{ RequestModels: { a: 'none' } }, INVALID],
        'parameters of another form': () => [{ RequestParameters: { x: { Required: true } } }, INVALID],
      },
    },
    routeResponses: {
      descriptor: routeResponses,
      most: 1,
      input: (made) => ({ ...made.routes, RouteResponseKey: '$default' }),
      invalid: {
        'another key': () => [{ RouteResponseKey: 'x' }, INVALID],
        'an unknown model': () => [{ ResponseModels: { a: 'none' } }, INVALID],
        'parameters of another form': () => [{ ResponseParameters: { x: { Required: true } } }, INVALID],
      },
    },
  },
});
