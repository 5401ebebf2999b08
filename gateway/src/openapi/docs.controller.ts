import { Controller, Get, Header, Inject } from '@nestjs/common';
import { SessionCookies } from '../auth/cookies';
import type { GatewayConfig } from '../config';
import { apiBase } from '../routes/for-operation';
import { docsPage, errorsPage } from './docs-page';
import { docsStyle } from './docs-style';
import { docsScript } from './docs-try';
import { openApiDocument, type DocumentOptions } from './openapi';

/**
 * The API documentation, for machines and people. It depends only on the contracts and the configuration. Each text is rendered at its first
 * request and kept, because rendering takes a tenth of a second, which every start would otherwise wait for.
 */
@Controller()
export class DocsController {
  readonly #options: DocumentOptions;
  readonly #rendered = new Map<string, string>();

  constructor(@Inject('CONFIG') config: GatewayConfig, cookies: SessionCookies) {
    this.#options = { serverUrl: config.PUBLIC_URL, cookieName: cookies.names.access };
  }

  @Get(`${apiBase}/openapi.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.#once('public', () => JSON.stringify(openApiDocument('public', this.#options)));
  }

  /** Only for the development of Tandem. */
  @Get(`${apiBase}/openapi-app.json`)
  @Header('content-type', 'application/json; charset=utf-8')
  openApiOfApp(): string {
    return this.#once('app', () => JSON.stringify(openApiDocument('app', this.#options)));
  }

  @Get('api/docs')
  @Header('content-type', 'text/html; charset=utf-8')
  docs(): string {
    return this.#once('page', () => docsPage(openApiDocument('public', this.#options)));
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

  #once(name: string, render: () => string): string {
    const text = this.#rendered.get(name) ?? render();
    this.#rendered.set(name, text);
    return text;
  }
}
