import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppError, uploadFile, uploadImportFile } from '@tandem/contracts';
import type { FastifyInstance } from 'fastify';

/** Passes upload bodies to their handler as a stream. All other routes still accept only JSON. */
@Injectable()
export class UploadBodyParser implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
      const { url } = request.routeOptions;
      if (url === uploadFile.path || url === uploadImportFile.path) done(null, payload);
      else done(new AppError('request.unsupported_media_type'), undefined);
    });
  }
}
