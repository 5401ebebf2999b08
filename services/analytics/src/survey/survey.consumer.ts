import { Injectable } from '@nestjs/common';
import { surveySent, surveySubmitted, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import { announceFigures } from '../organization/figures-changed';
import type { AnalyticsTx, SurveyColumns } from '../schema';
import { saveSurvey } from './survey.store';

const none: SurveyColumns = { survey_sent_at: null, rating: null, feedback: null, rated_at: null };

/** Adds ratings, and when surveys were sent, to the facts of their tickets. */
@Injectable()
export class SurveyConsumer {
  @Consumes(surveySubmitted, { name: 'survey-ratings', from: 'beginning' })
  onSubmitted(ctx: TenantContext, { survey }: DataOf<typeof surveySubmitted>, tx: AnalyticsTx): Promise<void> {
    const { ticket_id, rating, feedback, created_at: rated_at } = survey;
    return apply(tx, ctx, ticket_id, { ...none, rating, feedback, rated_at });
  }

  @Consumes(surveySent, { name: 'survey-sent-times', from: 'beginning' })
  onSent(ctx: TenantContext, { ticket_id, sent_at }: DataOf<typeof surveySent>, tx: AnalyticsTx): Promise<void> {
    return apply(tx, ctx, ticket_id, { ...none, survey_sent_at: sent_at });
  }
}

async function apply(tx: AnalyticsTx, ctx: TenantContext, ticket_id: string, survey: SurveyColumns): Promise<void> {
  const isChanged = await saveSurvey(tx, { organization_id: ctx.organization_id, ticket_id }, survey);
  if (isChanged) await announceFigures(tx, ctx);
}
