/**
 * Reads objects of Kubernetes as JSON from its input and prints what Kubernetes' OpenAPI schemas have against them, as a JSON list of sentences.
 * A process of its own: the package is for ES modules alone, which Jest does not resolve.
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
