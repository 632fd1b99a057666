import { lambda } from '../../src/scenarios/lambda.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(lambda);
