import { dialOf, shownPhone, whatsappTo } from '../../../events/base/phone.ts'

/** The telephone number that a visitor gave: a link that calls it, and one that opens WhatsApp. */
export const VisitorPhone = ({ phone }: { phone: string }) => {
  const [call, whatsapp] = [dialOf(phone), whatsappTo(phone, '')]
  return (
    <span css={{ minWidth: 0 }}>
      {call ? <a href={call}>{shownPhone(phone)}</a> : phone}
      {whatsapp && (
        <>
          {' · '}
          <a href={whatsapp} target="_blank" rel="noreferrer" aria-label="WhatsApp (new tab)">
            WhatsApp
          </a>
        </>
      )}
    </span>
  )
}
