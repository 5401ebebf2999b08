import { Controller, Get, Header, Inject } from '@nestjs/common';
import { SessionCookies } from '../auth/cookies';
import type { GatewayConfig } from '../config';
import { apiBase } from '../routes/for-operation';
import { docsPage, errorsPage } from './docs-page';
import { docsStyle } from './docs-style';
import { docsScript } from './docs-try';
import type { DocumentName } from './documented-operations';
import { openApiDocument } from './openapi';

interface Documentation {
  documents: Record<DocumentName, string>;
  page: string;
}

/** By options. Rendering takes a second of CPU time, so gateways of the same process share it. */
const rendered = new Map<string, Documentation>();

function documentation(options: Parameters<typeof openApiDocument>[1]): Documentation {
  const key = JSON.stringify(options);
  const earlier = rendered.get(key);
  if (earlier) return earlier;
  const document = openApiDocument('public', options);
  const documents = { public: JSON.stringify(document), app: JSON.stringify(openApiDocument('app', options)) };
  const now = { documents, page: docsPage(document) };
  rendered.set(key, now);
  return now;
}

/**
 * The API documentation, for machines and people. Rendered once at startup, because it depends only on the contracts and the configuration.
 */
@Controller()
export class DocsController {
  private readonly documentation: Documentation;

  constructor(@Inject('CONFIG') config: GatewayConfig, cookies: SessionCookies) {
    this.documentation = documentation({ serverUrl: config.PUBLIC_URL, cookieName: cookies.names.access });
  }

  @Get(`${apiBase}/openapi.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.documentation.documents.public;
  }

  /** Only for the development of Tandem. */
  @Get(`${apiBase}/openapi-app.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApiOfApp(): string {
    return this.documentation.documents.app;
  }

  @Get('api/docs')
  @Header('content-type', 'text/html; charset=utf-8')
  docs(): string {
    return this.documentation.page;
  }

  @Get('api/docs/errors')
  @Header('content-type', 'text/html; charset=utf-8')
  errors(): string {
    return errorsPage();
  }

  @Get('api/docs/style.css')
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return docsStyle;
  }

  @Get('api/docs/try.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return docsScript;
  }
}
