import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppError, uploadFile } from '@tandem/contracts';
import type { FastifyInstance } from 'fastify';

/** Lets the bytes of files through to their handler as a stream. Every other route takes JSON alone, as before. */
@Injectable()
export class FileBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
      if (request.routeOptions.url === uploadFile.path) done(null, payload);
      else done(new AppError('request.unsupported_media_type'), undefined);
    });
  }
}
