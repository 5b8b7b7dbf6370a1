import { Island } from '../../ui/island.tsx'
import { PublicPage } from '../../ui/public-page.tsx'
import { colour, frame, space, type } from '../../ui/theme.ts'
import { Questionnaire } from './questionnaire.tsx'

export const WebsiteInfoPage = () => (
  <PublicPage next={null} whatsappMessage="Hi! I have a question about the website questionnaire.">
    <noscript>
      <style>{'#progress{display:none}'}</style>
    </noscript>
    <div css={{ ...frame, paddingBlock: `${space.broad} ${space.vast}` }}>
      <h1 css={{ fontSize: type.display }}>Tell us about your website</h1>
      <p
        css={{
          maxWidth: '38rem',
          marginTop: space.base,
          color: colour.soft,
          fontSize: type.lead,
          'body:has([data-sent]) &': { display: 'none' },
        }}
      >
        Six short sections, only ten required questions. We respond within 24 hours. Your answers stay on this device
        until you send them, so you can stop and come back.
      </p>
      <div css={{ marginTop: space.wide }}>
        <Island name="website-info" props={{}}>
          <Questionnaire />
        </Island>
      </div>
    </div>
  </PublicPage>
)
