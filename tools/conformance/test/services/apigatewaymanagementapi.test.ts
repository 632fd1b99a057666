import { apigatewaymanagementapi } from '../../src/scenarios/apigatewaymanagementapi.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(apigatewaymanagementapi);
