import { Controller, Get, Header, Inject } from '@nestjs/common';
import { SessionCookies } from '../auth/cookies';
import type { GatewayConfig } from '../config';
import { apiBase } from '../routes/for-operation';
import { docsPage, errorsPage } from './docs-page';
import { docsStyle } from './docs-style';
import { docsScript } from './docs-try';
import { openApiDocument, type DocumentName } from './openapi';

/**
 * The API documentation, for machines and people. Rendered once at startup, because it depends only on the contracts and the configuration.
 */
@Controller()
export class DocsController {
  private readonly documents: Record<DocumentName, string>;
  private readonly page: string;

  constructor(@Inject('CONFIG') config: GatewayConfig, cookies: SessionCookies) {
    const options = { serverUrl: config.PUBLIC_URL, cookieName: cookies.names.access };
    const document = openApiDocument('public', options);
    this.documents = { public: JSON.stringify(document), app: JSON.stringify(openApiDocument('app', options)) };
    this.page = docsPage(document);
  }

  @Get(`${apiBase}/openapi.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.documents.public;
  }

  /** Only for the development of Tandem. */
  @Get(`${apiBase}/openapi-app.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApiOfApp(): string {
    return this.documents.app;
  }

  @Get('api/docs')
  @Header('content-type', 'text/html; charset=utf-8')
  docs(): string {
    return this.page;
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
