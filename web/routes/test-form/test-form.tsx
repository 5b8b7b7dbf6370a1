import { agency } from '../../content/agency.ts'
import { Island } from '../../ui/island.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { Activation } from './activation.tsx'

/** The page with which the agency's form-to-email service verifies the inbox. */
export const TestForm = () => (
  <ProsePage
    title="Email activation"
    intro="Contract forms reach the agency by email. The service that carries them has to verify the inbox once, and sends its request for that with the first submission."
  >
    <Island name="activation" props={{}}>
      <Activation />
    </Island>
    <noscript>
      <p>This button needs JavaScript.</p>
    </noscript>
    <h2 css={{ margin: `${space.roomy} 0 ${space.snug}`, fontSize: type.step }}>Then check two inboxes</h2>
    <ol
      css={{ '& li': { padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}`, overflowWrap: 'anywhere' } }}
    >
      <li>
        The agency's inbox, <b>{agency().email}</b>: open the message from the service and follow its activation link.
      </li>
      <li>The inbox of the copy address: the same test has to arrive there.</li>
    </ol>
    <p css={{ marginTop: space.base, color: colour.soft }}>
      Nothing there after a few minutes? Look in the spam folders before you send another test. As long as no email
      service is set up for this website, nothing is sent: the test waits in the local outbox.
    </p>
  </ProsePage>
)
