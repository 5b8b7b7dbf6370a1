import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'

/** A node fills in what the check found (api/contracts/verification.ts): the parts of other results are hidden. */
const Only = ({ when, children }: { when: readonly string[]; children: ReactNode }) => (
  <div
    css={{
      display: 'none',
      ...Object.fromEntries(when.map((state) => [`[data-check=${state}] &`, { display: 'block' }])),
    }}
  >
    {children}
  </div>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
    <dt css={{ color: colour.soft, fontSize: type.small }}>{name}</dt>
    <dd css={{ margin: 0, overflowWrap: 'anywhere' }}>{children}</dd>
  </div>
)

const Verdict = ({ isGood, children }: { isGood: boolean; children: ReactNode }) => (
  <p
    role={isGood ? 'status' : 'alert'}
    css={{
      marginBottom: space.base,
      padding: space.base,
      borderRadius: radius.control,
      background: isGood ? colour.accentWash : colour.badWash,
      color: isGood ? colour.accentDeep : colour.bad,
      fontWeight: 600,
    }}
  >
    {children}
  </p>
)

/**
 * Hashes a PDF in the browser, when it is chosen or dropped on the page, and compares it with the log: nothing is sent.
 * It runs without an island, since a drop comes without a touch before it.
 */
const CHECK_FILE = `{let d=document,z=d.getElementById('check'),o=z.querySelector('output'),say=(t,s)=>{o.textContent=t;o.dataset.result=s},check=async f=>{if(!f)return;if(!self.crypto?.subtle)return say('This browser cannot check files on this page.','bad');let b=await crypto.subtle.digest('SHA-256',await f.arrayBuffer()),h=[...new Uint8Array(b)].map(n=>n.toString(16).padStart(2,'0')).join('');i=z.dataset.sha256.split(' ').indexOf(h);i==0?say(f.name+' is the signed copy of this contract, byte for byte.','good'):i>0?say(f.name+' is an earlier version of the signed copy, byte for byte: a name was corrected since then.','good'):say(f.name+' is not the signed copy of this contract: it was changed, or it belongs to another one.','bad')};z.querySelector('input').addEventListener('change',e=>check(e.target.files[0]));addEventListener('dragover',e=>e.preventDefault());addEventListener('drop',e=>{e.preventDefault();check(e.dataTransfer.files[0])})}`

const CheckFile = () => (
  <section
    id="check"
    data-sha256="{{VERIFY_SHA}}"
    aria-labelledby="check-title"
    css={{
      display: 'grid',
      gap: space.snug,
      marginTop: space.roomy,
      padding: space.roomy,
      border: `2px dashed ${colour.edge}`,
      borderRadius: radius.card,
    }}
  >
    <h2 id="check-title" css={{ fontSize: type.step }}>
      Check your copy
    </h2>
    <p>
      <label htmlFor="copy">Choose the PDF, or drop it on this page. It stays on your device.</label>
    </p>
    <input id="copy" type="file" accept="application/pdf" css={{ maxWidth: '100%', minHeight: '2.75rem' }} />
    <output
      htmlFor="copy"
      css={{
        overflowWrap: 'anywhere',
        fontWeight: 600,
        '&[data-result=good]': { color: colour.accentDeep },
        '&[data-result=bad]': { color: colour.bad },
      }}
    />
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it is ours */}
    <script dangerouslySetInnerHTML={{ __html: CHECK_FILE }} />
  </section>
)

const FOUND = ['unbroken', 'broken']

/** The public page that checks a contract by its reference, without any personal detail. */
export const Verify = () => (
  <ProsePage
    title="Check a contract"
    intro="This page compares a signed contract with our log, in which every later change shows."
  >
    <div data-check="{{VERIFY_STATE}}">
      <Only when={['unbroken']}>
        <Verdict isGood>The log around this contract is unbroken.</Verdict>
      </Only>
      <Only when={['broken']}>
        <Verdict isGood={false}>
          The log around this contract was changed after it was signed. Trust your own signed copy, and contact us.
        </Verdict>
      </Only>
      <Only when={['missing']}>
        <Verdict isGood={false}>
          No contract has the reference {'{{VERIFY_REFERENCE}}'}. It has 12 characters, as on the signed copy.
        </Verdict>
      </Only>
      <Only when={FOUND}>
        <dl>
          <Fact name="Reference">{'{{VERIFY_REFERENCE}}'}</Fact>
          <Fact name="Package">{'{{VERIFY_PACKAGE}}'}</Fact>
          <Fact name="Signed on">{'{{VERIFY_DATE}}'}</Fact>
          <Fact name="State">{'{{VERIFY_STATUS}}'}</Fact>
          <Fact name="Terms">{'{{VERIFY_TERMS}}'}</Fact>
          <Fact name="SHA-256 of the signed copy">{'{{VERIFY_PDF}}'}</Fact>
        </dl>
        <CheckFile />
      </Only>
      <Only when={['none', 'missing']}>
        <form method="get" action="/contract/verify" css={{ display: 'grid', gap: space.base, maxWidth: '24rem' }}>
          <label htmlFor="reference" css={{ fontSize: type.small, fontWeight: 600 }}>
            <Unbroken>Reference on the contract, such as 3F9A-2C1B-7D10</Unbroken>
          </label>
          <input id="reference" name="reference" required maxLength={20} autoComplete="off" css={control} />
          <Button type="submit">Check</Button>
        </form>
      </Only>
    </div>
  </ProsePage>
)
