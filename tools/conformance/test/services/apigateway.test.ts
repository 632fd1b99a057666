import { apigateway } from '../../src/scenarios/apigateway.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(apigateway);
