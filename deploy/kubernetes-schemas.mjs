/**
 * Validates Kubernetes objects (JSON on standard input) against Kubernetes' OpenAPI schemas and prints the problems as a JSON list.
 * A separate process, because the package is an ES module, which Jest does not resolve.
 */
import { text } from 'node:stream/consumers';

const problems = [];
for (const object of JSON.parse(await text(process.stdin))) {
  const models = await import(`kubernetes-models/${object.apiVersion}`);
  const Model = models[object.kind];
  try {
    if (!Model) throw new Error(`there is no such kind in ${object.apiVersion}`);
    new Model(object).validate();
  } catch (error) {
    problems.push(`${object.kind} ${object.metadata?.name}: ${error.message}`);
  }
}
console.log(JSON.stringify(problems));
