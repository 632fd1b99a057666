import { apigatewayv2 } from '../../src/scenarios/apigatewayv2.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(apigatewayv2);
